CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL UNIQUE,
  name text NOT NULL,
  country text NOT NULL,
  password_hash text,
  email_verified_at timestamptz,
  prior_free_video integer NOT NULL,
  prior_free_photo integer NOT NULL,
  created_at timestamptz NOT NULL
);

CREATE TABLE former_free_use (
  person text PRIMARY KEY,
  video integer NOT NULL,
  photo integer NOT NULL
);

CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  provider text NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identities_user ON identities (user_id);

CREATE TABLE sessions (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE mail_tokens (
  token_hash text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  purpose text NOT NULL CHECK (purpose IN ('verify', 'reset')),
  email_key text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX mail_tokens_user ON mail_tokens (user_id);

CREATE TABLE sign_in_states (
  state_hash text PRIMARY KEY,
  provider text NOT NULL,
  product text NOT NULL,
  nonce text NOT NULL,
  verifier text NOT NULL,
  browser_hash text NOT NULL,
  person_name text,
  expires_at timestamptz NOT NULL
);

CREATE TABLE uploads (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  product text NOT NULL CHECK (product IN ('video', 'photo')),
  "timestamp" bigint NOT NULL UNIQUE,
  unique_id text NOT NULL UNIQUE,
  file_name text NOT NULL UNIQUE,
  extension text NOT NULL,
  content_type text NOT NULL,
  announced_size bigint,
  original_name text NOT NULL,
  size bigint,
  status text NOT NULL CHECK (status IN ('Pending', 'Corrut_File_Uploaded', 'Sample_File_Uploaded', 'Repair_Completed')),
  plan text NOT NULL,
  sample_file_name text UNIQUE,
  sample_original_name text NOT NULL,
  sample_content_type text,
  sample_announced_size bigint,
  sample_size bigint,
  deleted boolean NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX uploads_user ON uploads (user_id, product, "timestamp" DESC);
CREATE INDEX uploads_expiry ON uploads (expires_at) WHERE NOT deleted;

CREATE TABLE multipart_uploads (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  upload_id text NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('corrupt', 'sample')),
  key text NOT NULL,
  driver_id text NOT NULL,
  file_size bigint NOT NULL,
  part_size integer NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'completed', 'aborted')),
  created_at timestamptz NOT NULL
);
CREATE INDEX multipart_uploads_upload ON multipart_uploads (upload_id);

CREATE TABLE repairs (
  id text PRIMARY KEY,
  upload_id text NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  product text NOT NULL,
  code text NOT NULL UNIQUE,
  state text NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
  attempt integer NOT NULL,
  stage text NOT NULL,
  fraction double precision NOT NULL,
  progress double precision NOT NULL,
  verdict text,
  message text,
  report jsonb,
  result_key text,
  result_size bigint,
  preview_key text,
  playable_key text,
  still_key text,
  still2_key text,
  followed_at timestamptz,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz
);
CREATE INDEX repairs_upload ON repairs (upload_id, created_at DESC);
CREATE INDEX repairs_user ON repairs (user_id);
CREATE UNIQUE INDEX repairs_one_open ON repairs (upload_id) WHERE state IN ('queued', 'running');

CREATE TABLE purchases (
  id text PRIMARY KEY,
  user_id text REFERENCES users (id) ON DELETE SET NULL,
  email_key text NOT NULL,
  email text NOT NULL,
  name text NOT NULL,
  invoice_id text NOT NULL UNIQUE,
  pack_id text NOT NULL,
  product text NOT NULL CHECK (product IN ('video', 'photo')),
  count integer NOT NULL CHECK (count > 0),
  subscription text NOT NULL CHECK (subscription IN ('Monthly', 'Yearly')),
  state text NOT NULL CHECK (state IN ('active', 'refunded', 'disputed')),
  payment_ref text,
  subscription_ref text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX purchases_user ON purchases (user_id, product, expires_at);
CREATE INDEX purchases_email ON purchases (email_key) WHERE user_id IS NULL;
CREATE INDEX purchases_payment ON purchases (payment_ref);

CREATE TABLE charges (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  repair_id text NOT NULL REFERENCES repairs (id) ON DELETE CASCADE,
  product text NOT NULL,
  purchase_id text REFERENCES purchases (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('held', 'spent', 'returned')),
  created_at timestamptz NOT NULL
);
CREATE INDEX charges_user ON charges (user_id, product);
CREATE INDEX charges_purchase ON charges (purchase_id);
CREATE UNIQUE INDEX charges_one_free ON charges (repair_id) WHERE purchase_id IS NULL;
CREATE UNIQUE INDEX charges_one_paid ON charges (repair_id) WHERE purchase_id IS NOT NULL AND state <> 'returned';

CREATE TABLE store_events (
  id text PRIMARY KEY,
  type text NOT NULL,
  outcome text NOT NULL,
  payment_ref text,
  invoice_ref text,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX store_events_payment ON store_events (payment_ref);

CREATE TABLE manual_cases (
  id text PRIMARY KEY,
  upload_id text NOT NULL UNIQUE REFERENCES uploads (id) ON DELETE CASCADE,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state text NOT NULL CHECK (state IN ('Requested', 'In_Progress', 'Closed')),
  note text NOT NULL,
  answer text,
  result_key text,
  result_name text,
  created_at timestamptz NOT NULL,
  closed_at timestamptz
);
CREATE INDEX manual_cases_state ON manual_cases (state, created_at);
