ALTER TABLE repairs ADD COLUMN jpeg_key text, ADD COLUMN png_key text
