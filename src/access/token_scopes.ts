/** The scopes that a token can have (issue "Foundation", section 3). `sudo` has effect for administrators alone (decision 11). */
export const tokenScopes = ['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'sudo'] as const
export type TokenScope = (typeof tokenScopes)[number]
