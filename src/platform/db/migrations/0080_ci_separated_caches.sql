-- Jobs of protected branches and tags have caches of their own (issue "Doors", 5).
alter table projects add column ci_separated_caches boolean not null default true;
