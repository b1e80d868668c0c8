-- Entries about hooks showed the path and some parameters of the address, which may be credentials. Scheme, host and port are kept.
create function pg_temp.origin_of(address text) returns text language sql immutable as
$$
  select regexp_replace(address, '^\s*([a-z][a-z0-9+.-]*):[/\\\s]*(?:[^/?#]*@)?([^/\\?#]*).*$', '\1://\2/****', 'i')
$$;

update audit_events set target_details = pg_temp.origin_of(target_details) where target_type = 'Hook';

update audit_events
set details = details
  || case when jsonb_typeof(details -> 'from') = 'string' then jsonb_build_object('from', pg_temp.origin_of(details ->> 'from')) else '{}' end
  || case when jsonb_typeof(details -> 'to') = 'string' then jsonb_build_object('to', pg_temp.origin_of(details ->> 'to')) else '{}' end
where target_type = 'Hook' and details ->> 'change' = 'url';

drop function pg_temp.origin_of(text);
