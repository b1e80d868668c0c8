/** Who sees a project or group, for people. */
export const visibilities = [
  ['private', 'Private', 'Members alone see it.'],
  ['internal', 'Internal', 'Every signed-in user sees it, but for external ones.'],
  ['public', 'Public', 'Everybody sees it, without signing in.'],
] as const
