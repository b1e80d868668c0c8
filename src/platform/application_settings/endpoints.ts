/** The settings of the instance, for administrators (application settings API of the v4 level 14.0). */
import Type, { type TOptional, type TSchema } from 'typebox'
import { endpoint, one } from '../kernel/declaration/endpoint.ts'
import { inInstance } from '../kernel/declaration/scope.ts'
import { changeApplicationSettings } from './commands.ts'
import { ApplicationSettings } from './entity.ts'
import { inertSettings } from './inert.ts'
import { applicationSettings } from './queries.ts'
import { settings } from './settings.ts'

type AllOptional<P extends Record<string, TSchema>> = { [Name in keyof P]: TOptional<P[Name]> }

const optionally = <P extends Record<string, TSchema>>(of: P) =>
  Object.fromEntries(Object.entries(of).map(([name, schema]) => [name, Type.Optional(schema)])) as AllOptional<P>

const changes = { ...optionally(settings), ...optionally(inertSettings) }

export const getApplicationSettings = endpoint({
  route: 'GET /application/settings',
  summary: 'Get the settings of the instance',
  scope: inInstance,
  can: 'admin_instance',
  answers: one(ApplicationSettings),
  run: ({ db }) => applicationSettings(db),
})

export const updateApplicationSettings = endpoint({
  route: 'PUT /application/settings',
  summary: 'Change settings of the instance',
  scope: inInstance,
  can: 'admin_instance',
  params: changes,
  answers: one(ApplicationSettings),
  run: ctx => changeApplicationSettings(ctx, ctx.params),
})
