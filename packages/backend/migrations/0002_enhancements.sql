-- What a visitor asks for beyond the repair.
ALTER TABLE repairs ADD COLUMN enhancements jsonb NOT NULL DEFAULT '[]';
