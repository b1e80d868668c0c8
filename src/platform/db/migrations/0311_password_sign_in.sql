-- May people sign in on the page with a password? Without a provider they always may, and administrators too.
alter table application_settings add column password_authentication_enabled_for_web boolean not null default true;
