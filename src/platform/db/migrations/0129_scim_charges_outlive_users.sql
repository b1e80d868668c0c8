-- The count of accounts outlives the user whose count it is: accounts that a provider has made could otherwise make others, and go.
alter table provisioned_users drop constraint provisioned_users_charged_to_fkey;
