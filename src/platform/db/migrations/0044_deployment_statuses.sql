-- The deployments of one status are found without reading all others.
create index deployments_status on deployments (project_id, status, id);
