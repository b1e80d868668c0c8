-- A deployment whose job is skipped is skipped with it, and not expected any more.
alter table deployments drop constraint deployments_status_check;
alter table deployments add constraint deployments_status_check
  check (status in ('created', 'running', 'success', 'failed', 'canceled', 'skipped'));
update deployments set status = 'skipped' from jobs
 where jobs.id = deployments.job_id and jobs.status = 'skipped' and deployments.status = 'created';
