/**
 * Pages that tests of all pages do not read: the first ends the session, the next are about sessions and applications that are not there, and
 * the instance of the examples takes no mail and has no admin mode.
 */
export const notVisited: readonly string[] = [
  'GET /users/sign_out',
  'GET /users/sign_in',
  'GET /oauth/authorize',
  'GET /-/sites/sign_in',
  'GET /admin/session/new',
  'GET /:project_path/-/issues/by_mail',
  'GET /:project_path/-/merge_requests/by_mail',
]
