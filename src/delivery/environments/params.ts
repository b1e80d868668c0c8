/** Parameters that name environments. */
import Type from 'typebox'
import { NAME, NAME_RULE } from './slugs.ts'

/** The name of an environment that may be created by the request. */
export const EnvironmentName = (options: object = {}) =>
  Type.String({ minLength: 1, maxLength: 255, pattern: NAME, message: NAME_RULE, ...options })
