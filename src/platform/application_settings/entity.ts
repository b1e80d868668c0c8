/** The settings of the instance as JSON (application settings API of the v4 level 14.0). */
import Type from 'typebox'
import { entity } from '../kernel/answer/entity.ts'
import { DateTime } from '../kernel/declaration/types.ts'
import { inertDefaults, inertSettings } from './inert.ts'
import type { ApplicationSettingsRow } from './queries.ts'
import { settings } from './settings.ts'

export const ApplicationSettings = entity({
  name: 'ApplicationSettings',
  schema: Type.Object({
    id: Type.Integer({ description: 'Always 1' }),
    created_at: DateTime('When the instance was made'),
    updated_at: DateTime('When a setting was last changed'),
    ...settings,
    ...inertSettings,
  }),
  present: ({ id: _id, inert, ...row }: ApplicationSettingsRow) => ({ id: 1, ...row, ...inertDefaults, ...(inert as object) }) as never,
})
