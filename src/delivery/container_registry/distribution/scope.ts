/** Scopes below `/v2/`: names of images become projects and their repositories. */
import { allows } from '../../../platform/access/abilities.ts'
import type { Actor, RegistryAccess } from '../../../platform/access/actor.ts'
import { isAnonymous } from '../../../platform/access/actor.ts'
import type { Context } from '../../../platform/kernel/context.ts'
import { scope, within } from '../../../platform/kernel/declaration/scope.ts'
import { text } from '../../../platform/kernel/declaration/types.ts'
import { forbidden, unauthenticated } from '../../../platform/kernel/errors.ts'
import { findProject, projectSubject } from '../../../spaces/projects/scope.ts'
import { assertImageAllows } from '../../registry_protection/rights.ts'
import { type RegistryAction, writesElsewhere } from '../authentication/rights.ts'
import { isDigest, isImageName } from '../names.ts'
import { blobIn, manifestIn, projectPathOf, repositoryNamed } from '../queries.ts'
import { uploadIn } from '../uploads.ts'
import { actionOf } from './dialect.ts'
import { RegistryRefusal, unknownManifest } from './refusals.ts'

const unknownName = (name: string) => new RegistryRefusal('NAME_UNKNOWN', 'repository name not known to registry', { name })

/** 404 for a blob that a repository does not have. */
export const unknownBlob = (digest: string) => new RegistryRefusal('BLOB_UNKNOWN', 'blob unknown to registry', { digest })

/** Does the token of the registry that a caller sends grant this? Callers with another credential have what that gives. */
export const isGranted = ({ registry }: Actor, type: RegistryAccess['type'], name: string, action: string): boolean =>
  registry === undefined ||
  registry.some(access => access.type === type && access.name === name && (access.actions.includes(action) || access.actions.includes('*')))

/** @throws Refusal 401 where the caller shows nothing, or a token for something else */
function assertGranted({ actor }: Context, name: string, action: RegistryAction): void {
  // Contract: the registry asks for a token, also for what is public (OCI distribution specification; token authentication).
  if (isAnonymous(actor) && actor.registry === undefined) throw unauthenticated()
  if (!isGranted(actor, 'repository', name, action)) throw unauthenticated()
}

/** The project of an image and the name below it. @throws Refusal 404 where the caller sees none that has a registry */
export async function findImage({ db, actor }: Pick<Context, 'db' | 'actor'>, name: string) {
  const path = isImageName(name) ? await projectPathOf(db, name) : undefined
  if (path === undefined) throw unknownName(name)
  const project = await findProject(db, actor, path)
  if (allows(actor, 'read_container_image', projectSubject(project)) === 'hidden') throw unknownName(name)
  return { project, name: name.slice(path.length + 1), image: name }
}

/** `:image_name` becomes a project with a registry and the name of an image in it, or 404; 401 where the token of the caller is not for it. */
export const inImage = scope({
  name: 'inImage',
  path: { image_name: text('Name of an image: the full path of a project, and up to two names below it') },
  async load(ctx, { image_name }) {
    const action = actionOf(ctx.request)
    assertGranted(ctx, image_name, action)
    const found = await findImage(ctx, image_name)
    if (writesElsewhere(ctx.actor, found.project.id, action)) throw forbidden()
    if (action === 'push') await assertImageAllows(ctx, found.project.id, found.name, action)
    return { ...found, repository: await repositoryNamed(ctx.db, found.project.id, found.name) }
  },
  subject: ({ project }) => projectSubject(project),
  errors: () => ['unauthenticated', 'forbidden'],
})

/** The same, where the repository must be there. */
export const inImageRepository = within(inImage, {
  name: 'inImageRepository',
  path: {},
  async load({ repository, image }) {
    if (!repository) throw unknownName(image)
    return { repository }
  },
})

/** `:digest` becomes a blob of the repository, or 404. */
export const inImageBlob = within(inImageRepository, {
  name: 'inImageBlob',
  path: { digest: text('Digest of a blob') },
  async load({ db, repository }, { digest }) {
    if (!isDigest(digest)) throw new RegistryRefusal('DIGEST_INVALID', 'invalid digest', { digest })
    const blob = await blobIn(db, repository.id, digest)
    if (!blob) throw unknownBlob(digest)
    return { blob }
  },
  errors: () => ['bad_request'],
})

/** `:reference` becomes a manifest of the repository, or 404. */
export const inImageManifest = within(inImageRepository, {
  name: 'inImageManifest',
  path: { reference: text('Tag or digest of a manifest') },
  async load({ db, repository }, { reference }) {
    const manifest = await manifestIn(db, repository.id, reference)
    if (!manifest) throw unknownManifest(reference)
    return { manifest, reference, isTag: manifest.digest !== reference }
  },
})

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** `:upload_id` becomes an upload of the repository, or 404. */
export const inImageUpload = within(inImageRepository, {
  name: 'inImageUpload',
  path: { upload_id: text('ID of an upload') },
  async load({ db, repository }, { upload_id }) {
    const upload = uuid.test(upload_id) ? await uploadIn(db, repository.id, upload_id) : undefined
    if (!upload) throw new RegistryRefusal('BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry', { upload_id })
    return { upload }
  },
})
