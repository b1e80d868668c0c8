-- Administrators are administrators in the browser only once they have entered admin mode, where the instance wants it.
alter table application_settings add column admin_mode boolean not null default false;

-- When the session entered it; null outside of it. It ends some hours later by itself.
alter table sessions add column admin_mode_since timestamptz;
