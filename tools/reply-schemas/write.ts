import { writeFileSync } from 'node:fs'
import { replySchemas } from './reply-schemas.ts'

/** Regenerates the schemas after one of the libraries was updated. */
writeFileSync(new URL('../../tests/testkit/src/conformance/reply-schemas.json', import.meta.url), replySchemas())
