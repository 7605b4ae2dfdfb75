import { writeFileSync } from 'node:fs'
import { replySchemas } from './reply-schemas.ts'

/** Rewrites the schemas; run it when one of the libraries was updated. */
writeFileSync(new URL('../../tests/testkit/src/conformance/reply-schemas.json', import.meta.url), replySchemas())
