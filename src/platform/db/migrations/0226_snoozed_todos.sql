-- A to-do item that its user has put off: pages leave it out until then.
alter table todos add snoozed_until timestamptz;
drop trigger announce_moved_todos on todos;
create trigger announce_moved_todos after update of state, snoozed_until on todos
  for each row when (new.state is distinct from old.state or new.snoozed_until is distinct from old.snoozed_until)
  execute function announce_todos();
