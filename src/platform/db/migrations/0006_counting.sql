-- Lists say how many rows there are (x-total): counting the projects that somebody may see reads this index alone, a
-- tenth of the table. The index on namespace_id that it would stand beside is the beginning of projects_name_key.
drop index projects_namespace;
create index projects_visible on projects (visibility, namespace_id, id) include (archived);
