-- Since when the vendor's complete lists lack most of what is stored of the account; null while they do not.
alter table vendor_feeds add column shrunk_since timestamptz;
