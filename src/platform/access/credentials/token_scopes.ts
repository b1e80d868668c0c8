/** The scopes that a token can have. `sudo` has effect for administrators alone (decision 11). */
export const tokenScopes = [
  'api',
  'read_api',
  'read_user',
  'read_repository',
  'write_repository',
  'read_registry',
  'write_registry',
  'sudo',
] as const
export type TokenScope = (typeof tokenScopes)[number]

/** The scopes of OpenID Connect: an application that signs people in asks for them. They open `/oauth/userinfo` and nothing else. */
export const openidScopes = ['openid', 'profile', 'email'] as const

/** The scopes that say who a person is, and give nothing of what they work on. */
const identityScopes: ReadonlySet<string> = new Set([...openidScopes, 'read_user'])

/** Do these scopes open more than who the person is? */
export const opensWork = (scopes: readonly string[]): boolean => scopes.some(scope => !identityScopes.has(scope))

/** The scopes that an application can ask for. */
export const applicationScopes = [...tokenScopes, ...openidScopes] as const
export type ApplicationScope = (typeof applicationScopes)[number]

/** The scopes that a deploy token can have (deploy tokens API at 14.0). */
export const deployTokenScopes = [
  'read_repository',
  'read_registry',
  'write_registry',
  'read_package_registry',
  'write_package_registry',
] as const
export type DeployTokenScope = (typeof deployTokenScopes)[number]

/** What each scope allows, in words for the person who gives it. */
export const meaningOfScope: Readonly<Record<ApplicationScope, string>> = {
  api: 'Do everything through the API that you can do',
  read_api: 'Read everything through the API that you can read',
  read_user: 'Read your profile and the profiles of others',
  read_repository: 'Fetch from repositories',
  write_repository: 'Fetch from and push to repositories',
  read_registry: 'Pull images from the container registry',
  write_registry: 'Pull images from and push to the container registry',
  sudo: 'Act as any other user, if you are an administrator',
  openid: 'Sign you in: know your account, name and groups',
  profile: 'Read the public part of your profile',
  email: 'Read your primary email address, once you have confirmed it',
}
