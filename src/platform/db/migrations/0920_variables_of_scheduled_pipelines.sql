-- A pipeline keeps the variables that its schedule had when it was made. Earlier pipelines keep those that it has now.
alter table run_variables
  drop constraint run_variables_source_check,
  add constraint run_variables_source_check check (source in ('given', 'dotenv', 'schedule'));
insert into run_variables (pipeline_id, key, value, variable_type, raw, source, created_at, updated_at)
select pipelines.id, v.key, v.value, v.variable_type, v.raw, 'schedule', v.created_at, v.updated_at
  from pipelines join run_variables v on v.schedule_id = pipelines.schedule_id;
