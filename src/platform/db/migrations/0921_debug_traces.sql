-- Was a runner given the job with `CI_DEBUG_TRACE`, or does it say so itself? Its log may show all variables then, whatever is set later.
alter table jobs add column debug_trace boolean not null default false;
