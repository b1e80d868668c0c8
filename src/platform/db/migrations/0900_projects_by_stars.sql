-- Lists of projects by their stars.
create index projects_star_count on projects (star_count, id);
