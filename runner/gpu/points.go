package gpu

import (
	"time"

	"assay/store/evidence"
)

// points keeps a bounded series: when it is full, every two points become one and each
// later point stands for twice as many samples.
type points struct {
	most, step int
	at         []time.Duration
	power      []mean
	clock      []mean
	temp       []mean
	util       []mean
	used       []evidence.Opt[int64]
	filled     int // samples in the last point
}

func (p *points) add(r *Reading) {
	if p.filled == 0 {
		if len(p.at) == p.most {
			p.halve()
		}
		p.at = append(p.at, r.At)
		for _, list := range p.means() {
			*list = append(*list, mean{})
		}
		p.used = append(p.used, evidence.None[int64]())
	}
	i := len(p.at) - 1
	p.power[i].add(r.Power)
	p.clock[i].add(r.SMClock)
	p.temp[i].add(r.Temperature)
	p.util[i].add(r.Utilisation)
	p.used[i] = most(p.used[i], r.MemoryUsed)
	if p.filled++; p.filled == p.step {
		p.filled = 0
	}
}

func (p *points) means() []*[]mean { return []*[]mean{&p.power, &p.clock, &p.temp, &p.util} }

// halve joins neighbours. An odd last point stays as it is, and is filled up.
func (p *points) halve() {
	n := len(p.at)
	kept := (n + 1) / 2
	for i := range kept {
		p.at[i] = p.at[2*i]
		p.used[i] = p.used[2*i]
		if 2*i+1 < n {
			p.used[i] = most(p.used[i], p.used[2*i+1])
		}
		for _, list := range p.means() {
			l := *list
			l[i] = l[2*i]
			if 2*i+1 < n {
				l[i].sum, l[i].n = l[i].sum+l[2*i+1].sum, l[i].n+l[2*i+1].n
			}
		}
	}
	p.at, p.used = p.at[:kept], p.used[:kept]
	for _, list := range p.means() {
		*list = (*list)[:kept]
	}
	p.step *= 2
}

func (p *points) series() Series {
	s := Series{Step: p.step, At: p.at, MemoryUsed: p.used}
	for i, list := range p.means() {
		out := make([]evidence.Opt[float64], len(*list))
		for j := range *list {
			out[j] = (*list)[j].value()
		}
		*[]*[]evidence.Opt[float64]{&s.Power, &s.Clock, &s.Temperature, &s.Utilisation}[i] = out
	}
	return s
}
