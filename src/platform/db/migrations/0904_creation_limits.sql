-- How many issues and comments a user may make in a minute; 0: any number.
alter table application_settings
  add column issues_create_limit integer not null default 0 check (issues_create_limit between 0 and 1000000),
  add column notes_create_limit integer not null default 0 check (notes_create_limit between 0 and 1000000);

-- Until now kept for clients, without an effect; they took any number.
update application_settings
   set issues_create_limit = least(greatest(floor(coalesce((inert ->> 'issues_create_limit')::numeric, 0)), 0), 1000000)::integer,
       notes_create_limit = least(greatest(floor(coalesce((inert ->> 'notes_create_limit')::numeric, 0)), 0), 1000000)::integer,
       inert = inert - 'issues_create_limit' - 'notes_create_limit';
