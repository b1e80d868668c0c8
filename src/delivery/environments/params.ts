/** Parameters that name environments. */
import { text } from '../../platform/kernel/declaration/types.ts'
import { NAME, NAME_RULE } from './slugs.ts'

/** The name of an environment that may be created by the request. */
export const EnvironmentName = (options: object = {}) =>
  text('Name of the environment', { minLength: 1, maxLength: 255, pattern: NAME, message: NAME_RULE, ...options })
