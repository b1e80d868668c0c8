-- The groups that wait for their deletion, by the day on which it was asked for.
create index namespaces_marked_for_deletion on namespaces (marked_for_deletion_on) where marked_for_deletion_on is not null;
