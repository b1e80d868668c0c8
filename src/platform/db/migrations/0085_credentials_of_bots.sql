-- Bots of projects and groups hold one access token, and nothing that outlives it: what they had given themselves is taken away.
delete from keys using users where users.id = keys.user_id and users.kind <> 'human';
delete from gpg_keys using users where users.id = gpg_keys.user_id and users.kind <> 'human';
delete from emails using users where users.id = emails.user_id and users.kind <> 'human';
