import hashlib, json
def jcs(v): return json.dumps(v, sort_keys=True, ensure_ascii=False, separators=(',', ':'))
def sha(s): return 'sha256:' + hashlib.sha256(s.encode()).hexdigest()
def chain(prev, r):
    keys = ('revision', 'basedOn', 'author', 'title', 'createdAt', 'language', 'options')
    return sha('planmode/chain/v1\n%s\n%s\n%s' % (prev, r['hash'], jcs({k: r[k] for k in keys if k in r})))
def digest(c, d): return sha('planmode/decision/v1\n%s\n%s' % (c, jcs(d)))
r1 = {'revision': 1, 'path': 'revisions/r1.md', 'hash': sha('# One\n'), 'createdAt': '2026-01-02T03:04:05.006Z',
      'author': 'agent', 'title': '迁移到 OAuth 🚀', 'steps': []}
r1['chain'] = chain('', r1)
r2 = {'revision': 2, 'path': 'revisions/r2.md', 'hash': sha('# Two\n'), 'createdAt': '2026-01-02T03:05:05.000Z', 'basedOn': 1,
      'author': 'user', 'language': 'zh-CN', 'title': 'a "b" \\ </script> & \u2028', 'steps': ['做 <it>'],
      'options': [{'label': 'A', 'description': ''}, {'label': 'é', 'description': 'x\ty'}]}
r2['chain'] = chain(r1['chain'], r2)
d1 = {'revision': 1, 'kind': 'changes_requested', 'by': 'user', 'at': '2026-01-02T03:04:30.000Z', 'hash': r1['hash'],
      'notes': 'bell \x07 esc \x1b nul \x00 del \x7f\r\n tab\t bs\b ff\f 🙂 é'}
d1['digest'] = digest(r1['chain'], d1)
d2 = {'revision': 2, 'kind': 'approved', 'by': 'user', 'at': '2026-01-02T03:06:00.120Z', 'hash': r2['hash'],
      'session': 's', 'entry': '0123456789ab', 'review': 'rv', 'round': 1, 'option': 0, 'reviewer': 'revdiff v1.12.0', 'head': 'abc'}
d2['digest'] = digest(r2['chain'], d2)
m = {'version': 3, 'planId': '20260102T030405-oauth-0a1b2c3d', 'title': r2['title'], 'status': 'approved', 'storage': 'persistent',
     'sessions': ['s'], 'cwd': '/tmp/项目', 'createdAt': r1['createdAt'], 'updatedAt': d2['at'], 'currentRevision': 2,
     'approvedRevision': 2, 'approvedHash': r2['hash'], 'revisions': [r1, r2], 'decisions': [d1, d2]}
m['sum'] = sha(jcs(m))
open('testdata/manifest-v3.json', 'w').write(json.dumps(m, ensure_ascii=False, indent=2) + '\n')
for k, v in (('chain1', r1['chain']), ('chain2', r2['chain']), ('digest1', d1['digest']), ('digest2', d2['digest']), ('sum', m['sum'])): print(k, v)
