-- How often a repair's own process broke off; workers that are stopped or die do not count.
ALTER TABLE repairs ADD COLUMN crashes integer NOT NULL DEFAULT 0;
