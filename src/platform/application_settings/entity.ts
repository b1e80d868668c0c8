/** The settings of the instance as JSON (application settings API of the v4 level 14.0). */
import { entity } from '../kernel/answer/entity.ts'
import type { ApplicationSettingsRow } from './queries.ts'
import { ApplicationSettingsJson } from './settings.ts'

export const ApplicationSettings = entity({
  name: 'ApplicationSettings',
  schema: ApplicationSettingsJson,
  present: ({ id: _id, updated_at: _updatedAt, ...settings }: ApplicationSettingsRow) => settings as never,
})
