-- Names the asking for a pipeline by a task, which may run twice: a second run finds the pipeline that the first one has made.
alter table pipelines add column request_key text;
create unique index pipelines_request_key on pipelines (request_key) where request_key is not null;
