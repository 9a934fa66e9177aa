import * as z from 'zod/mini'

// The content security policy forbids eval, which zod would use to compile parsers. zod reads this setting when a
// schema is made, so the entry imports this file before any schema.
z.config({ jitless: true })
