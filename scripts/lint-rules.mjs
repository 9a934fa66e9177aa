// Rules of this project that oxlint does not have (.oxlintrc.json, jsPlugins).

/**
 * Requires `#name` instead of `private name`: one form, which is also enforced at run time. Constructors have
 * no alternative.
 */
const hashPrivate = {
  create(context) {
    const check = (node) => {
      if (node.accessibility === 'private' && node.kind !== 'constructor')
        context.report({ node, message: 'write #name instead of private name' })
    }
    return { PropertyDefinition: check, MethodDefinition: check }
  },
}

/** Requires `test` in Vitest's files, as in Playwright's, which have no `it`. */
const testNotIt = {
  create: (context) => ({
    ImportDeclaration({ source, specifiers }) {
      if (source.value !== 'vitest') return
      for (const node of specifiers)
        if (node.imported?.name === 'it') context.report({ node, message: 'write test instead of it' })
    },
  }),
}

export default {
  meta: { name: 'ridgeline' },
  rules: { 'hash-private': hashPrivate, 'test-not-it': testNotIt },
}
