-- The token was created in a session of single sign-on, whose provider is responsible for password and factors.
alter table api_tokens add column is_single_sign_on boolean not null default false;
