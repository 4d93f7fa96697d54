-- Where the bytes that were checked lie: a place that no address was ever given for.
ALTER TABLE uploads ADD COLUMN stored_key text;
ALTER TABLE uploads ADD COLUMN sample_stored_key text;
UPDATE uploads SET stored_key = 'uploads/' || file_name WHERE status <> 'Pending';
UPDATE uploads SET sample_stored_key = 'uploads/' || sample_file_name WHERE sample_size IS NOT NULL;
