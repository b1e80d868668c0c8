-- Who may use the container registry, as for the other features: it could only be on or off.
alter table projects add column container_registry_access_level text not null default 'enabled'
  check (container_registry_access_level in ('disabled', 'private', 'enabled'));
update projects set container_registry_access_level = 'disabled' where not container_registry_enabled;
alter table projects drop column container_registry_enabled;
