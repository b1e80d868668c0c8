-- The pipeline whose status a bridge takes over (`needs: pipeline`).
alter table jobs add column mirrored_pipeline_id bigint references pipelines on delete set null;
create index jobs_mirrored_pipeline on jobs (mirrored_pipeline_id);
