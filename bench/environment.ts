/**
 * The environment of everything that the bench starts: nothing of the user's settings, of Ingot or of git, so that the
 * same is measured for everyone.
 */
export const environment: Readonly<Record<string, string>> = {
  // biome-ignore lint/style/noProcessEnv: where programs are found is the machine's affair
  PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
  LC_ALL: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
}
