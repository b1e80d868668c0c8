/** Ids for the scopes of hooks and of what was sent to them. */
import type { Where } from './examples.ts'
import type { Things } from './world.ts'

export const hookScopes: Readonly<Record<string, (where: Where) => Things>> = {
  inProjectHook: ({ place }) => ({ id: place.project.id, hook_id: place.things.project_hook as number }),
  inGroupHook: ({ place }) => ({ id: place.group.id, hook_id: place.things.group_hook as number }),
  inProjectHookEvent: ({ place }) => ({
    id: place.project.id,
    hook_id: place.things.project_hook as number,
    hook_event_id: place.things.project_hook_event as number,
  }),
  inGroupHookEvent: ({ place }) => ({
    id: place.group.id,
    hook_id: place.things.group_hook as number,
    hook_event_id: place.things.group_hook_event as number,
  }),
  inSystemHookEvent: ({ world }) => ({ id: world.things.system_hook as number, hook_event_id: world.things.system_hook_event as number }),
  inSystemHook: ({ world }) => ({ id: world.things.system_hook as number }),
}
