-- Rules protect packages of Conan too.
alter table package_protection_rules drop constraint package_protection_rules_package_type_check;
alter table package_protection_rules add constraint package_protection_rules_package_type_check check (package_type in
  ('maven', 'npm', 'conan', 'nuget', 'pypi', 'composer', 'generic', 'debian', 'rubygems', 'helm'));
-- Conan keeps files in folders of a package.
create index package_files_folder on package_files (package_id, channel, file_name, id) where channel is not null;
