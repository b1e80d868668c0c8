-- Lists of the packages of a project in the orders that they have besides the time.

create index packages_by_name on packages (project_id, name, id);
create index packages_by_version on packages (project_id, version, id);
create index packages_by_type on packages (project_id, package_type, id);
