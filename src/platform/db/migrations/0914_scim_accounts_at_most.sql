-- How many accounts the top-level group has made by SCIM, at most: fewer once some of them were deleted. Null: not counted yet. It is counted
-- only where it has reached the limit, so that what an account takes does not grow with those that there are.
alter table scim_tokens add column accounts_at_most integer;
