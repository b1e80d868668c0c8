-- A name is taken once in its namespace, as a path is (decision 13).
create unique index projects_name_key on projects (namespace_id, name);
create unique index namespaces_group_name_key on namespaces (coalesce(parent_id, 0), name) where kind = 'group';
