import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain

from core.grammar import Amount, Duty, Sentence, cue_pattern, find_cues, find_quantities, read_sentence, fold_accents, stem_words, STOP_WORDS
from core.library import coverage
from core.verification.evidence import shorten_text
from core.verification.statements import ParsedDraft, Piece, Statement, plain_words

_SIDES = {"at least": 1, "more than": 1, "at most": -1, "less than": -1}
_COMPLEMENTS = {"less than": "at least", "more than": "at most", "at least": "less than", "at most": "more than"}
_SEP = re.compile(r"[,;:(|]|\b(?:and|or|but|while|whereas|against|und|oder|et|ou)\b")
ABSOLUTE = cue_pattern("absolute"); UNTOLD = cue_pattern("untold")
RESTRICT = ("exception", "only", "requires", "must_not", "naming_exception")

def words(text): return frozenset(plain_words(text))

def around(text, one, others):
    ends=[o.end for o in others if o.end<=one.start]; starts=[o.start for o in others if o.start>=one.end]
    opens,closes=0,len(text)
    if ends:
        parts=list(_SEP.finditer(text,max(ends),one.start)); opens=max((m.end() for m in parts),default=max(ends))
    if starts:
        parts=list(_SEP.finditer(text,one.end,min(starts))); closes=max((m.start() for m in parts),default=min(starts))
    return text[opens:one.start]+" "+text[one.end:closes]

def denies(text):
    return len(find_cues(text,"negation","denial","forbidding"))%2==1

def amounts(s): return [a for a in s.amounts if a.kind=="amount"]

def limits(st, own, pieces):
    rules=[(p,a) for p in pieces for a in amounts(p.sentence) if a.relation]
    for one in amounts(own):
        if not one.relation: continue
        mine=[(p,a) for p,a in rules if a.key==one.key]
        if not mine: continue
        sides={_SIDES.get(a.relation,0) for _,a in mine}
        side=_SIDES.get(one.relation,0)
        rels={a.relation for _,a in mine}
        rule=mine[0][1]; piece=mine[0][0]
        said=f"says “{one}” where it is “{rule}”"
        before=own.text[max(0,one.start-14):one.start]
        exact=bool(find_cues(before,"exactly"))
        alike=denies(own.text)==denies(piece.text)
        if _COMPLEMENTS.get(one.relation) in rels and side and -side in sides:
            if one.role=="threshold" or rule.role=="threshold":
                if alike and coverage(plain_words(own.text),piece.text)>=.5: yield "complement", said
                continue
        if side and -side in sides and side not in sides:
            yield ("turned" if one.proved and rule.proved else "turned?"), said; return
        if side and side in sides and one.relation not in rels and one.proved and rule.proved:
            yield "strictness "+rule.role, said
        if not side and 0 not in sides:
            if exact:
                yield "exact "+rule.role+(" gov" if rule.is_governed else "")+(" alike" if alike else ""), said
            elif one.role=="limit" and one.is_governed: yield "blurred gov", said

def swaps(st, own, pieces):
    rules=[]
    for p in pieces:
        am=amounts(p.sentence)
        for a in am:
            ctx=around(p.text,a,am) if p.text[a.start:a.end]==a.text else p.text
            rules.append((a,words(ctx)|words(p.sentence.lead[-80:] if False else "")))
    found=[]
    am=amounts(own)
    for a in am:
        ctx=words(around(own.text,a,am))
        mine=[w for r,w in rules if r.key==a.key]
        riv=[(r,w) for r,w in rules if r.key!=a.key and r.measure==a.measure and not any(x.key==r.key and False for x in am)]
        if not mine or not riv or not ctx: continue
        mw=frozenset().union(*mine)
        best=max(riv,key=lambda t: len(t[1]&ctx-mw))
        if best[1]&ctx-mw and not any((w-best[1])&ctx for w in mine):
            found.append((a,best[0],best[1]&ctx-mw))
    if found:
        yield ("swapped2" if len({f[0].key for f in found})>1 and any(f[1].key==g[0].key for f in found for g in found) else "swapped1"), "; ".join(f"{f[0]} with {f[1]} by {set(f[2])}" for f in found)

def head(text, n=3):
    return list(plain_words(re.split(r"[,;:.()]",text)[0]))[:n]

def sidecues(text):
    for c in find_cues(text,"before","after"):
        if c.has("of","barrier","existing","relative") : continue
        yield ("before" if c.has("before") else "after"), frozenset(head(text[c.end:]))

def turned_sides(st, own, pieces):
    rules=[(s,e,p) for p in pieces for s,e in sidecues(p.text)]
    for s,e in sidecues(own.text):
        if not e: continue
        same=[p for t,f,p in rules if t==s and len(e&f)>=1]
        opp=[p for t,f,p in rules if t!=s and 2*len(e&f)>=len(e)]
        if opp and not same:
            p=opp[0]; al=denies(own.text)==denies(p.text) and coverage(plain_words(own.text),p.text)>=.5
            yield "side"+(" alike" if al else ""), f"says {s} {set(e)}"

def verb(d):
    w=list(plain_words(d.what)); return w[0] if w else ""

def dwords(d,s): return frozenset(plain_words(d.what))

def duties(st, own, pieces):
    if UNTOLD.search(own.text): return
    rules=[(d,p) for p in pieces for d in (*p.sentence.duties,*([p.sentence.led_duty] if p.sentence.led_duty else [])) if not d.in_passing]
    for d in own.duties:
        if d.in_passing or not d.is_main: continue
        dw=dwords(d,own); v=verb(d)
        if not dw: continue
        al=[]
        for r,p in rules:
            rw=dwords(r,p.sentence) or words(p.text)
            rw2=rw|words(r.actor)
            c=coverage(dict(plain_words(d.what)),p.text)
            sv=bool(v) and (v in rw)
            al.append((sv,c,r,p))
        al=[x for x in al if x[1]>=.5 and x[0]]
        if not al or any(x[2].modality==d.modality for x in al): continue
        sv,c,r,p=max(al,key=lambda x:(x[0],x[1]))
        if {d.modality,r.modality}=={"must","must not"} and denies(own.text)!=denies(p.text): continue
        yield f"duty {d.modality}<{r.modality}"+(" main" if r.is_main else ""), f"{v} {c:.2f}: {r.what[:50]}"

def actors(st, own, pieces):
    rules=[(d,p) for p in pieces for d in p.sentence.duties if d.actor and not d.in_passing]
    every=frozenset().union(*(words(d.actor) for d,p in rules)) if rules else frozenset()
    text=frozenset().union(*(words(p.text) for p in pieces)) if pieces else frozenset()
    for d in own.duties:
        if not d.actor or d.in_passing: continue
        aw=words(d.actor)
        if not aw: continue
        for r,p in rules:
            rw=words(r.actor)
            v=verb(d)
            if v and v in dwords(r,p.sentence) and not aw&rw and rw and coverage(dict(plain_words(d.actor)),r.actor)==0 and coverage(dict(plain_words(d.what)),p.text)>=.5:
                if any(words(x.actor)&aw and v in dwords(x,q.sentence) for x,q in rules): continue
                yield "actor "+("known" if aw&every else "in text" if aw<=text else "new"), f"{d.actor} for {r.actor}"
                break

def closest(ws,pieces):
    return max(pieces,key=lambda p: coverage(ws,p.text),default=None)

def absolute(st, own, pieces):
    m=ABSOLUTE.search(own.text)
    if not m or UNTOLD.search(own.text): return
    p=closest(plain_words(own.text),pieces)
    if p is None or ABSOLUTE.search(p.text): return
    cues=find_cues(p.text,*RESTRICT); cond=find_cues(p.text,"condition","circumstance")
    if cues: yield "absolute restricted", f"{m[0]} / {cues[0].text}"
    elif cond: yield "absolute condition", f"{m[0]} / {cond[0].text}"
    elif any(find_cues(q.text,*RESTRICT) for q in pieces): yield "absolute elsewhere", m[0]
    elif any(a.relation in _SIDES for a in p.sentence.amounts): yield "absolute amount", m[0]
    else: yield "absolute plain", m[0]

def exceptions(st, own, pieces):
    p=closest(plain_words(own.text),pieces)
    if p is None or coverage(plain_words(own.text),p.text)<.5: return
    exc=find_cues(p.text,"exception")
    if exc and not find_cues(own.text,"exception","naming_exception","only","doubtful","turning","requires"):
        lost=p.text[exc[0].start:]
        yield "exception lost"+(" cond" if find_cues(own.text,"condition") else "")+(" must" if any(d.modality.startswith("must") for d in own.duties) else ""), lost[:60]
    on=find_cues(p.text,"only"); oo=find_cues(own.text,"only","exception","must_not","requires","condition","exactly")
    if on and not oo: yield "only lost"+(" univ" if find_cues(own.text,"universal") else ""), on[0].text
    if find_cues(own.text,"only") and not find_cues(" ".join(q.text for q in pieces),"only","must_not","exception","requires","condition","at_most"):
        yield "only added"+(" univ" if find_cues(p.text,"universal") else ""), p.text[:60]

def negated(st, own, pieces):
    for part in re.split(r"[;:]\s",own.text):
        ws=plain_words(part)
        if len(ws)<2: continue
        p=closest(ws,pieces)
        if p is None: continue
        c=coverage(ws,p.text); b=coverage(plain_words(p.text),part)
        if denies(part)!=denies(p.text) and c>=.6:
            has=any(not d.in_passing for d in read_sentence(part).duties)
            yield f"negated {'D' if has else 'F'} {int(c*4)/4} {int(b*4)/4}", p.text[:60]

def tags(st, own, pieces):
    for p in pieces:
        m=re.match(r"^\W*[\[(]\s*([\w ]{2,20}?)\s*only\s*[\])]",p.text,re.I)
        if m and coverage(plain_words(own.text),p.text)>=.5 and not words(m[1])&words(own.text):
            yield "tag"+(" univ" if find_cues(own.text,"universal") else ""), m[0]

def quotecut(st, own, pieces):
    for q in st.passages:
        t=" ".join(q.strip('“”"«» ').split()).casefold()
        for p in pieces:
            f=" ".join(p.text.split()).casefold()
            if t and t in f:
                a,_,b=f.partition(t)
                rest=a+" … "+b
                cues=find_cues(rest,"exception","only","condition","requires","at_most","at_least")
                if cues and coverage(plain_words(rest),st.own)<.4: yield "quote cut", cues[0].text

def mixed(st, own, pieces):
    us=[(p,words(p.text)|{a.key for a in amounts(p.sentence)}) for p in pieces]
    for part in re.split(r"[;]\s|,\s(?:and|but|while)\s",own.text):
        s=read_sentence(part)
        ws=words(part)
        cond=find_cues(part,"condition")
        toks=ws|{a.key for a in amounts(s)}
        D=[(len(toks&u-frozenset().union(*(w for q,w in us if q is not p))),p) for p,u in us]
        D=sorted([d for d in D if d[0]],key=lambda d:-d[0])
        if len(D)>1: yield f"mixed {min(D[1][0],3)}", ""

CHECKS=[limits,swaps,turned_sides,duties,actors,absolute,exceptions,negated,tags,quotecut,mixed]
