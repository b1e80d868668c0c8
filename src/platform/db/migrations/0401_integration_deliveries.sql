-- What integrations were told, and what came of it; a week of it is kept (src/integrations/integration_deliveries).
create table integration_deliveries (
  id bigint generated always as identity primary key,
  integration_id bigint not null references integrations on delete cascade,
  -- Where it happened: the integration may be one of a group or of the instance.
  project_id bigint not null references projects on delete cascade,
  -- Not a reference: events may be swept first. Null for a trial.
  event_id bigint,
  -- Which of the messages of the event.
  part integer not null default 0,
  trigger text not null,
  -- JSON of what happened, as hooks get it; jsonb could not hold every text that a commit can.
  payload text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  -- The parts of the work that are done, so that another attempt does not repeat them.
  done text[] not null default '{}',
  -- Requests and answers of the last attempt.
  exchanges jsonb not null default '[]',
  error text,
  created_at timestamptz not null default now(),
  unique (integration_id, project_id, event_id, part)
);
create index integration_deliveries_latest on integration_deliveries (project_id, integration_id, id desc);
create index integration_deliveries_integration on integration_deliveries (integration_id, id desc);
create index integration_deliveries_created_at on integration_deliveries (created_at);
