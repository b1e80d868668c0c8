-- Administrators list the jobs of all projects by their status: a rare one must not mean reading them all.
create index jobs_status on jobs (status, id) where kind = 'build';
