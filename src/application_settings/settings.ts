/**
 * The settings of the instance, under the names that the public API gives them where it has them. Each is a column of
 * `application_settings`, whose default value is the default of the setting, and each has an effect: a setting without one does not belong here.
 */
import Type, { type TSchema } from 'typebox'
import { OneOf } from '../kernel/types.ts'

const visibilities = ['private', 'internal', 'public'] as const

/** The schema of each setting, by its name. */
export const settings = {
  default_project_visibility: OneOf(visibilities, { description: 'Visibility of a new project for which none is given' }),
  default_group_visibility: OneOf(visibilities, { description: 'Visibility of a new top-level group for which none is given' }),
  audit_events_retention_days: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    description: 'Days for which entries of the audit log are kept; 0: for ever',
  }),
} as const satisfies Record<string, TSchema>

/** The JSON of all settings. */
export const ApplicationSettingsJson = Type.Object(settings)
