-- What a group says about LFS is what its projects begin with, and each may say otherwise: projects show what holds for them.
update projects set lfs_enabled = false where lfs_enabled and namespace_id in (select id from namespaces where not lfs_enabled);
