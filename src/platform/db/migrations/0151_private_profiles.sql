-- Lists of people leave out the private profiles: these alone are read for it.
create index users_private_profile on users (id) where private_profile;
