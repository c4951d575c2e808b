//! The promises of the rating: cases of every technique, invariance, soundness, trace and rating in agreement.

use super::library::{self, Case, Outcome};
use super::*;
use crate::board::text::parse_line;
use crate::board::{Cell, Digit, Freedom, Grid, Isomorph, Narrow, Shape, Solution};
use crate::random::{Rng, Stage};

/// One case for every code, quoted from HoDoKu's regression library (`reglib`, HoDoKu 2.2.0).
const CASES: &[&str] = &[
    ":0000:8:9...6...76....45.1..1....6....6..8.4.194+3762+54.7..8....5....7..7.48....31...4...2:::851:",
    ":0002:3:.....85.......46.7..1..6+8.9.7983.....2.....8.....5273.9..1..2..4.57.......86.....:::319:",
    ":0003:3:....4...7.4.69.......2.86.1.2....36.7.......5.38....1.2.93.6.......52.8.4...7....:::335:",
    ":0110-1:68:9862.......4...8...5......2.6..37.....51..29.1..4...3......3.2.57....6........15.::659 665 666 844 851 859 865 866::",
    ":0111-1:247:..+7..4.259.1..374......+7..+16.+5+27.49....93.51..+98...+2....3..+91.24.+67.2..+9..+9+3....+4::759 761::",
    ":0100:8:9+7.+368.+4.+6..5.+2.732..17.8...5...+74..+4.68.37....7....9.+7.2.81..416+4+7+35...+5..42...7::898::",
    ":0101:5:+9......+87...9.86.2....2.39..7.3....1..92468+7+33....7.2..95.6...+87.65.1...4........:162 163 477 478:541 562::",
    ":0200:56:..+1..46.....+685+1.46.4.9+1...2..1.+87...65.3.91+8..8..9..3....4.8.13..81......69.....:264 265 374:548 648::",
    ":0201:158:.6472+9...57.+4+83.+6+9.+9.1+56.4.72..9.....+5..+3..+9..+4+9+57..86+43+59+67.+2..+8.3+1+5+974+9+1+7+24865+3::159 839::",
    ":0210:69:91.5...6.....13..5.584......39..+5..4.6+5.+4..8.4.....65.....+5419+75+4+178+9..+6.9.+1.6+548::224 235 735 824::",
    ":0211:137:..+5.+3..61.6.52..4..+4.1.+63...2..+51.+37..42.35+1.5..6...9.+4.2+8.9....5.+742.8.79+8+3.+5.+2.:762 862 687 689:852::",
    ":0202:2567:...7........6..7.4...+493..8+94+2..+7356635+9+2+48+17.1.+3+6+5+2+49....+3....2+8+3549+6+7+15+91+27+6+48+3::613 731::",
    ":0212:3489:...7........6..7.4...+493..8+94+2..+7356635+9+2+48+17.1.+3+6+5+2+49....+3....2+8+3549+6+7+15+91+27+6+48+3::111 121 613::",
    ":0300:1:....+3.....2+8.91.+3.4.3....+97546.2.9..+1978..+3523+8+2....+46..5....23.6+4.1.....+3..8.4..::112 117 167::",
    ":0301:7:.....+6.5..46.518..+1+5.9..4.6+63+98.+5...+82+53+1.6.9417+6+29+3+8+5..+3+568+2142+6+4+1..+5.85+81....+6.::715 728 745 748 795 796::",
    ":0302:7:2.......3.8..3..5...34.21....12.54......9......93.86....25.69...9..2..7.4.......1::712 715 721 729 751 752 759 792 795::",
    ":0400:8:.92.3+814737.+1+2+4.69...+7.+93+2..+27..+3.+9.4..+9.2.+7.+9+5.4+7+123.+26+9+845+7+1+3.8.39..+52...+21.98.::839 847 857::",
    ":0401:4:.7.5.+6..31+3.7.+9+586.+65.+3...+9..69....7+7.16.39..3...+752+6.....+6+78..24..+91+6.56...+54.9.:234 834 864 278:463::",
    ":0803:14:7+6+2.3.5+84+59+86+2+4137...+7+58...8+2+5+3.+7...4+3+9..5+7.2+67149+2+3+5+8..6.7.+8.5.8+7+5.+6..+3.+5....671::174 176 181::",
    ":0800:234:.......6.1.3.7..+82+6.2.+8.4.....59+7+6...6...8...7..4.....+237...+895+5847+3+9+21+6+9+1+6+85+2+7+43::341 357 358::",
    ":0801:248:6+4+8+3+5+9..239+2+1+8+7+6+54...+42638+915.+83...+6.+6+35+7...+8..79+6.+5.+3...+7+93+8+6+5.+3.+618247..+624+5+9+31::251::",
    ":0702:8:....1+74.+6..4....+17....+48329+4987+56+13+2.7.+182...+25+1+4396+7+85...9...1..2.............6.::818 877 887 897::7",
    ":0706:1359:..28.....7..+9...3.4..3.5..68+2.4...67.715......+46.....9...+749.....7...6+452.+4+6+5.+97.::118 343 567 932::7",
    ":0707-2:3:....8.2....5....4..2...5...+9+6+2+8+37.....+321+4+6971+74+5..+83+2..+1......+6973+4+852+1+2+48+75136+9::319::8",
    ":0708-1:3:........8...3....+5.....547......7.1.491+8..+5.+7..+25+1..+8+4+12+3+79+485+6+9+876+5+1+3+42+5+46+23879+1::339 358::7",
    ":0709-1:1289:....3.94+66.....+57....6..1+2...95..+4+12+4+82+173+69515+6+942+3+8+7.+6..5.+7+3..43...8+5....+3..26.:211:122 222 831 833 836 936::7",
    ":0710-3:14:81+6+3..7..+9+2415+7+83+6+57+38.....489.1.2.+3........9.....3...+2.5..+1...+197538+64+2..+82...1.::137 437::9",
    ":0711-3:1:.+7....9...461..7.3.5.....4.+765...+8+12+21+468+5+3+79+3+8927+1..4.98.+1..+3..+275.31.85+31......::119 131::11",
    ":0703:16:32..897..5.9.72138.87.3529675.89.3.289.327..1.325.49872.89.3.7...375.829975248613:413 414 472 181:681::7",
    ":0610::32...648..684.1235.4582369.854267913.3.185742217..456847...2859.82..9374593748126::515 715::",
    ":0404:1:..+738..59.4..+59..7.5+9...1..135.+9.+6+7..7.+56+3.9+1.+9....325+7.3..+5+98+25+8.9..+74+392+4+837+5+1+6::174 186::",
    ":0403:2:+5+71+6+38+942.3+8...15+66.+9...8+7+3...+8..+4.7...4..+6.+1+7.4.63+598..+7...+2+8+9....2.+71595+27+8+136+4::224::",
    ":0405:2:5+8.+1+7+9..3...+6.897+5697+35....+9..+5+3.+7287.3+81.+5..+8+5.+9.+71+3.+4+69+2+81357..8765....+7+549+3...::225 263::",
    ":0402:2:7+2+4+956+1381+6842+3+5+9+7+9+3+5+7+1+8+6+2+45..3..+8+1..4..8+17+5..+81.+7.24..+13....+7+2...1...+85.5...7.6+1::293::",
    ":0600-1:68:+6.+5+3....7+2.8+5.+6..+43.+9+1....5+7+3+1+4+59.2.+4+5681+2..98+927+635+4+19+8+7+6+3145+212+3+94+5...5+6+428+7+91+3::687 887::",
    ":0601-1:47:+8+1+3+4+7+6+2+959+2+6+8354+1747+5...+8+3+6+7.....+983+5+3+8794+6+212.....+75+4+35.6..+1..+68....+5..+1.2..7368::963 992::",
    ":0602-1:15:.8+2+73+51...+7+5.+623.+8.+364..+2753.9+82....+62+45.1.8+3+8.7.4...27+9.6...+2.+2+6....8..54.+2....7::488 698 988 998::",
    ":0603-1:14:..+9+4.+6+3+8....3.9+5+6..+6.+8.7149...+2+9+4+631.2.+5+689+74+496+17+3+2+58+9+58+7+3+2+4+1+6+7326+4+1+8+9+5+6..9+8+572+3::122 123::",
    ":0604-1:27:..+8..47+25+5+62+837+9+4+1....2+5+368+65+9+2+8+14+7381+4+3+79+6+5+2...+5461+8+9....1+85.49....+2+8.+7.8...+3+2.6:361:382::",
    ":0605-1:28:..6+5.7+1+3+9.+7.9..456+9.+5+3+6.2+781+2+485+63+9+7+5694+7382+1..7+192+6+456.2+7.+5+9.+4458+2+19+7+6+3+7+9.6..5.+2::215 221::",
    ":0606-1:49:+2+984+1....536.+281..+7+4+13+5..+82+8.4+1+3..569+5+3642+8+1716...+54..4...+63..+1+3+152+9+4768+6....13..:977:998::",
    ":0607-1:14:+1.+59+6..+7.6.41.7.5.+9+3+7+42518+6+41+6.+7..+2.+7+93.+1+2.+6.8+526+4973+1+2+79..+1+64+5+3+6+125+4+8+9754+8+7+9+6+213::459::",
    ":0608-1:37:9+8....6+4+7..1..6+9387.6.8+9+5+1+2+1...+3.+476+3+741+6+2+8+5+9+65+8947+12+32.....+3.5+8..25.+7.+4....9.+2.1:474 494:943 972 982::",
    ":0310:9:..3..+67......91..+3.6...3.597+8.+25+43.+1...+3+1+7.8+22+3+16+89+4+75+6.813+2...+32.4+7...6...+9+6.23.::978::",
    ":0320:3:.94.3.5+2+7+6..+9+7+281+4.+7..456+3+996.28.+4+7..2+7..4....+4...+7..+2.+1.+4..+79+84867+1+9+2+537.+9.+281+4+6::343::",
    ":03111:8:4..5.769.........2.68....3.65.2.4..9....3.4.....9........8..........3..73894.....::815 827 828::",
    ":0311:5:....4...97+9..124+6....9+6....2...+9.3.....+2....6.784+3...5329+1+8+4+6+5+78+5+7+6291..4+16..38+9+2::555::",
    ":03211:2:2.7+89+5+6.+15..7.+4+9.8.9+8..6......+4.+9......6.+8.938.9.5+3764...+3+62......54+7...+7.3+9+814.6::234 245 255::",
    ":0321:6:.+489+127+3.2..6..14.....4....9.42..87....+49.+3...32..15+94....2.+4..+471..9..3.+251.49..:331 373 678 679 699:638::",
    ":03121:7:+945..6+18.1+3.+84+9.6+5+8..+5+1.9.+47.39.8+4+1..+9+1+4....+8.8+4..15+9.+47+96+8+5+321..8..4.+5+9....9.84.::784 785 799::",
    ":0312:7:..2.18.+6..+6..+9+4+8+1.+8+14..+597.658+1....+9+1...+59.+8...+9+8...51.354..1.82.+1+583..64+8+69.+1...:752 754 259 762 299:787::",
    ":03221:7:+2.3.+186+5.41+6+75+39+8+2.+5+8.+26.1.84.3+6+2.9+5+62.+8.543.5+3.1+4.+8+2+6.+6+52...+4+83.+4+58.26..+8+2+6.45+7.::737 759::",
    ":0322:8:..+34+16+2..2+6...+3+1.41.+4....36.463+7+15.+2.+2184......7+62.+41...5.3..41..+2+1.+4...+4+1.5+6732.:536 936 976:871 872 881 882::",
    ":0500:3:8.+7.9.6.2+95+28+6..4.3.6.+2.+5+9+8+7+8+19+34+25+62+6+4.....9+53+96.2..+4+6.....+4+21+12..+46+98.4.8+21..+65:726 157 757 158 767:326::",
    ":0501:1:+548..+3....+674.+9+8359..8+5+7+6...+9..+382+5+73..57.4..+8+7+52+9+4163689+7+4+5+31+2...+9..+5...+513.2...::114 119 125 132 141 156 185::",
    ":0502:2:.9..4187678.3..15441.8..329..91...6.1...6.9..674..851.967485231.4..12.95521......::245::",
    ":0503:8:......58779..52..15.41..932.......2.2.6.3.1.5.5.......947.182.....76..1961.......::824 832::",
    ":0701:1:.....+394..4...53+8...+3+478+5.25+39.+47.+2........+7371..3+64+95..6+3.2754.......+3+93.....2.8:921 657 181:184 185 186::5",
    ":0331:9:.6.8.27352.76354.8385.7.26.5.6.8.3.7..876315.73.25.6848.2..657.65...78..173528946:415 136 442 144 952 474 184 484:913::",
    ":0332:8:..67..+391..9+3...623......+4.....3...4..72...1+34.+3..1....31..8.75..+49+5+3+1.+6.65....3.:941 547 847 951 557 665 567 475 791 495 496 897:832 835 837 841 842 862 865 867::",
    ":0340:6:.72.3158.4..275.3.35..687.2.1.7543.8.3.619.757.5823.9.5..187..3..3596..7..734285.:973 281:672::",
    ":03411:9:+7...52..496+514.+72.3........+6.34.58.......1..68...6.........753.1+3.+5.+4..7+59+7...4..:814 117 118 818 132 832 133 833 139 939 252 452 957 364 273 275:958 967 968::",
    ":0341:8:52...617.174.536..6.9271..5..5.2...6.9.76..1...6.3...484759236135261.9.79613.7.5.:814 819 928 842 844 944 856 964 866 867 868:838::",
    ":03421:3:.6....+728...+2671..+2+178.....1.65.+2.4.+98.+7+145...4.3.+6.......2.9..3...754....1......:413 513 915 335 935 349 868 269 573 283 895 995 897:328 329::",
    ":0342:7:.5...16..3.6..2.....93..2.4..453.182...8.4...8.512.4..6.1..53.....6..9.1..721..46:825 759 769:736::",
    ":03621:5:6.+197..+4..+9...4.1+6...+1.+6...+1+82763+95+49.5+4+1.6........1..+8136.+74..2.9+34+1..8.4.82...+1:317 219 238 838 239 758 369 797:527 537::",
    ":0362:4:....27.3+9+3.164+9+2...9+2..+5..+6+13.9...28+9.8..+26+1..+25..13+9...+9+2.8.5+3.....39622.+3.+9...1:447 772 781 782 792 892:417::",
    ":0364:4:9.7..5...1..7..9..86..9.57..8...61.9316.59..72.91..65.....2..96.9...4..8...9..3.5:214 314 414 315 615 815 217 118 218 222 325 228 328 428 234 339 439 448 854 458 772 473 374 384 185 493 795:491::",
    ":0606-x:34:.51.+8..4+2....2.3...........3..8.+29.....5.4......1.+9+4.....7+5+6+214.6.+29....2........:432 732 832 932 433 633 733 833 933 334 335 635 735 336 881 383 883 392 492 892 992 393 493 893 993 395:435::",
    ":0610-x::+5+4..9.8.1392..8.+5..+1.....2..3+46..5+926+2..4.+1.31+59..3.4..8+5.....+7.+7+18+3.4654+63.5.+2..:714 716 724 625 733 434 734 636 736 637 737 639 745 754 756 765 174 274 175 276 976 994 196:176 276 476 676:",
    ":0610-x::.+7+5+9.6+4+32+9+6+234571+8.4+3+27.+5+6952.+7+6.3+41+4.+6.+5+3+2+9+73.7.+2.+6857+5..3..2+6+631592+8+7+42.+46.+7.+5+3:874 176::",
    ":0901-2:12357:9..17....4.1....7..7...31..14...6.98.9248173.38.5.......48...2.......6.7....6...3:793:172 244 385 571 572 796::",
    ":0902-1:16:.........2.....3495...3926..9.........41..+98....598..4..182...6......7....3..6...:515 516 722 341 348 589:111 112 625::",
    ":0903-1:35:1+53+9+642+7+8+9847+2.3+6.72+6..8+9..638.+4+9..+7+4+91..+78.+6+5+7+2+8+1+6493+8+6+74+9..32+3.9.+7268.+2.56+8+37.9:139:334 355 534::",
    ":0904-2:3:.....87.3..82+3.5.....+71.+428.8..7193....+8..+2...9652+3+18.84+7+16.+3..+9+25+3+876..3+619..+8..:411 498 499:333 352::",
    ":1101:14678:3....9742...5..6+8........1+5.......611.986.........3.....1.2.+53+6.4...5+1+975.....+428::125 476 634 776 796 835::",
    ":1201:7:....7..1.......673..8..5......51..461..7.6..926..94......8..7..712.......4..2....:::732 743 769 796:",
    ":1202:7:137.5.........36..5......3.9..8....3..6.2.4..8....4..1.7......9..85.........4.517::724 725 735 736 737 746 747 748 754 756 758 764 765 768 785::",
];

/// Cases of techniques of which the library has none, seen while solving minimal puzzles of the controlled-bias and other
/// collections.
const OWN_CASES: &[&str] = &[
    ":unique_loop_6:45:+3+54..1+9+82+1679+82.3.8+2+9+4+53+16793.......+5+7+1.4+98+26+4.2..6.1..9.....7..1.2...9..........::497 597::",
    ":unique_loop_8:69:+12+3+4+5+6+7+8+9+4+56+7+8+912+37+8+9.3.5+4+6..+5..+3+4+1+88+3+15+2496+7..+48+17+3+5+23.2.+758+9+45.7.4+8.+31..8....7+5::684 984::",
    ":unique_loop_10:12:1234+5+6+78+9+4+5+6789..+3+7+8+9...+5+6+42+3+4+81+7+695+8675+9.3..+9+1+5...8..34+8.+7+5+9.6+5+7.+9..+43+8+69.+348...::136 236::",
    ":bug_type_2:1235678:12.4.6+7+89+4.67.+9+12+37.+9+1+2.+4+65+2..5..94.+84.+3+92+65.+9...+41.3.3+9+4....+1.+5+1+29.4.76+6+78+21..+94:575 743 749 845 875:879::",
    ":bug_type_3:345679:1+2..5.+789+4+5..8.+123.+89+1.2+5+4+62+1.3+6.+8.+4.+3+8.4+16.+2+694+8+2+7+31+5.7.2+98+46+186+2.1.+9+3+7+94+1...+25+8::626::",
    ":bug_type_4:2589:+12+34+5+67+8+9+4+5+6+789+1+237..+13+25+6+4.+74.6+1.+3.+31.97.+6+4.+6.+52+43.+71+56.+3.+7418.+3+7.+1+4+2.6.41+6..3.7::891 941::",
    ":03101:6:....8.1.2+51.7.684..6..2....94+621....8+216.....+375......687.......+5+4......29+38.4..7::688 698::",
    ":03201:6:....8.1.2+51.7.684..6..2....94+621....8+216.....+375......687.......+5+4......29+38.4..7::688 698::",
    ":0330:7:7.........8..........9.....+4+26+83+1+597+9+7+8.+56+314+3.14+9.+62+88+1+3+57+4+9+622+6+41..+73+5+59+76+23+841::726 728::",
    ":03401:9:.73..2+6+8.+1....6+537.+9+8...42.8+5+6..1+3+4+2+72+46.+39+1+59+3+1..+487+62+6941+8+7+5+3+3+87+2.+5+1+9+4+41+5...+268::994 995::",
    ":0350:7:7.........8..........9.....+4+26+83+1+597+9+7+8.+56+314+3.14+9.+62+88+1+3+57+4+9+622+6+41..+73+5+59+76+23+841::726 728::",
    ":0351:7:7.........8..........9.....+4+26+83+1+597+9+7+8.+56+314+3.14+9.+62+88+1+3+57+4+9+622+6+41..+73+5+59+76+23+841::726 728::",
    ":0352:8:+9+45...7+3+1+13+2+5..+4866+784+3+1+5+92.+1......329.64+7.+5..5.......7+8+19.3+264+3+6+9....7.+52+4+7+683+19::847 867 869::",
    ":03601:4:.73..2+6+8......6+537......42.8.+6..1+3+4..2+46..9+1+59.....87.2+6941+8+7+5+3+3.7...+1+9+4.1+5...+268::425 465::",
    ":0360:7:7.........8..........9.....+4+26+83+1+597+9+7+8.+56+314+3.14+9.+62+88+1+3+57+4+9+622+6+41..+73+5+59+76+23+841::728::",
    ":03611:9:+27+95..3..4+53+1.....+86129...+5...3..5..54.+6.....+3+829.1.67...+4....2...7.6....1.+8....4::948 949::",
    ":0361:7:7.........8..........9.....+4+26+83+1+597+9+7+8.+56+314+3.14+9.+62+88+1+3+57+4+9+622+6+41..+73+5+59+76+23+841::728::",
    ":1000:12369:7.8.+59+2.4..24...5.5+4.+7.....2+5.84....8.15.+7+4.+2.74.....+5+4+8..7+5126..+72.15+4+8+1+2+5+68+497+3:168:365::",
    ":1001:1289:.+7+2+4......38...4...49.3....7.+3...+51+4.56+7+14.3.+4815.+3+6.73.+4+278.6+5+8.79+65.+4..+65+3+41+78.::957::",
    ":1301:1:....+4+5.6+9+9..8.64.2...29+15....94+6+725...65.8+9+43.....+9.76..8..+2.9+4.4.+9.3....97..432.:161 251 311 312 322 331 332 361 362 363 832 861 887::149:",
    ":1302:167:....3..5.6....54.7...4..9.2........+9..2.5...493...16..1.9.26.+4+3..71+8+3.9......4...:348 358::956:",
    ":1303:9:....3..5.6....54.7...4..9.2........+9..2.5...493...16..1.9.26.+4+3..71+8+3.9......4...:348 358::956:",
    ":1304:8:....+4+5.6+9+9..8.64.2...29.5...+394+6.25...65.8+9+43.....+9.76+3.8..+2.9+4.4.+9.3....97..432.:::522:",
];

/// Cases of the library that are not met: no shortest chain through almost locked sets has just these conclusions.
const NOT_MET: &[&str] = &[
    ":0709-2:236:.4..892...652+4...+9..9.+1...44..9.5...95.+4...17",
    ":0711-4:59:...65+4+328+2458.31.+6+63+8....+459+7+31+4+5+86+2+42+1+38+6",
    // Digits with more templates than are looked at.
    ":1202:3:....7..1.......673..8..5......51..461",
];

/// Minimal puzzles with the level that HoDoKu 2.2.0 gives them.
const LEVELS: [(&str, Level); 9] = [
    ("073002000000006037000000420800001000020600900900000870209410000007000000010000068", Level::Easy),
    ("000000010400000000020000000000050407008000300001090000300400200050100000000806000", Level::Easy),
    ("000009001300000000070060590000000830809000010000506000003002070900301050062070000", Level::Medium),
    ("005000000000608000608953000106009000002506003000010000009300000203800056007000109", Level::Medium),
    ("000040607020500000000000300000002080000073000010000000600400050700800000300000000", Level::Medium),
    ("000400010600050000700000000000070200010090000040000000000300605000109000800000700", Level::Medium),
    ("000000000174080000000109700080500000006000000709000001901406005002000690050800200", Level::Hard),
    ("040170906007000080000400002200040000080000600604920800500000700061000040029000001", Level::Hard),
    ("300000028100000030000010000040003006005070080208040000000085003000000504003106000", Level::Hard),
];

/// Beyond singles, intersections and subsets: Extreme by HoDoKu 2.2.0, Unfair the second.
const BEYOND: [&str; 2] = [
    "073000200090004080010050000000000000021080007980300450000001300000740000000029008",
    "080024030570008900010050007000000090000190800000002000051000300700000020092080500",
];

fn puzzle(line: &str) -> Puzzle {
    Puzzle::try_from(parse_line(line, None).unwrap()).unwrap()
}

/// Solutions of a position, up to a limit, digits tried in random order.
fn solve<S: CellSet>(marks: &Candidates<S>, limit: usize, rng: &mut Rng, found: &mut Vec<Vec<u16>>) {
    if marks.is_broken() || found.len() >= limit {
        return;
    }
    let Some(cell) = marks.open().cells().min_by_key(|&cell| marks.of_cell(cell).len()) else {
        found.push(marks.values().to_vec());
        return;
    };
    let mut digits: Vec<Digit> = marks.of_cell(cell).collect();
    rng.shuffle(&mut digits);
    for digit in digits {
        let mut next = marks.clone();
        next.place(cell, digit);
        solve(&next, limit, rng, found);
    }
}

struct Solutions<'a>(&'a Puzzle, usize, &'a mut Rng);

impl AtWidth for Solutions<'_> {
    type Output = Vec<Vec<u16>>;
    fn run<S: CellSet>(self) -> Vec<Vec<u16>> {
        let mut found = Vec::new();
        solve(&Candidates::<S>::new(self.0), self.1, self.2, &mut found);
        found
    }
}

fn solutions(puzzle: &Puzzle, limit: usize, rng: &mut Rng) -> Vec<Vec<u16>> {
    at_width(puzzle.shape(), Solutions(puzzle, limit, rng))
}

fn random_solution(shape: Shape, rng: &mut Rng) -> Solution {
    let blank = Puzzle::try_from(Grid::blank(shape)).unwrap();
    Solution::trusted(shape, solutions(&blank, 1, rng).remove(0))
}

/// A puzzle with one solution from which `tries` random cells were taken where that keeps it unique.
fn dug(solution: &Solution, tries: usize, rng: &mut Rng) -> Puzzle {
    let mut order: Vec<usize> = (0..solution.shape().cells()).collect();
    rng.shuffle(&mut order);
    let mut kept = vec![true; order.len()];
    for &cell in order.iter().take(tries) {
        kept[cell] = false;
        let unique = solutions(&solution.masked(|cell| kept[cell.index()]), 2, rng).len() == 1;
        kept[cell] = !unique;
    }
    solution.masked(|cell| kept[cell.index()])
}

/// Puzzles of many shapes: quoted ones, dug ones, ones with several solutions.
fn sample() -> Vec<Puzzle> {
    let mut rng = Rng::new(5, 0, Stage::Bench, 0);
    let mut puzzles: Vec<Puzzle> = LEVELS.iter().map(|(line, _)| puzzle(line)).collect();
    puzzles.extend(BEYOND.map(puzzle));
    for (shape, tries, number) in
        [("2x2", 16, 8), ("2x3", 36, 12), ("3x2", 36, 12), ("2x4", 64, 6), ("3x3", 81, 30), ("2x5", 60, 3)]
    {
        for _ in 0..number {
            let solution = random_solution(shape.parse().unwrap(), &mut rng);
            puzzles.push(dug(&solution, tries, &mut rng));
            puzzles.push(solution.masked(|_| rng.below(3) > 0));
        }
    }
    for shape in ["3x4", "4x3", "4x4"] {
        let solution = random_solution(shape.parse().unwrap(), &mut rng);
        puzzles.extend([4, 5, 6].map(|kept| solution.masked(|_| rng.below(10) < kept)));
    }
    puzzles
}

#[test]
fn every_code_of_the_table_has_a_quoted_case_and_passes_it() {
    for info in &TECHNIQUES {
        let mut cases =
            CASES.iter().chain(OWN_CASES).filter(|line| Case::parse(line).unwrap().code == info.library).peekable();
        assert!(cases.peek().is_some(), "no case of {}", info.code);
        for line in cases {
            assert_eq!(Case::parse(line).unwrap().run(), Outcome::Passed, "{line}");
        }
    }
}

/// Replays a whole file of cases when there is one: `techniques/hodoku_reglib_dev.txt` in the folder that the variable
/// SUDOKU_CORPUS_DATA names, or in `../shared/data`.
#[test]
fn every_case_of_the_library_file_passes() {
    let folder = std::env::var("SUDOKU_CORPUS_DATA")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data").to_owned());
    let path = format!("{folder}/techniques/hodoku_reglib_dev.txt");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {path} is not there; set SUDOKU_CORPUS_DATA to replay the library of technique cases");
        return;
    };
    let cases = text.lines().filter(|line| line.starts_with(':'));
    let outcomes: Vec<(&str, Outcome)> = cases.map(|line| (line, Case::parse(line).unwrap().run())).collect();
    let failed: Vec<&str> = outcomes.iter().filter(|(_, out)| *out == Outcome::Failed).map(|(line, _)| *line).collect();
    let failed: Vec<&str> =
        failed.into_iter().filter(|line| !NOT_MET.iter().any(|known| line.starts_with(known))).collect();
    assert!(failed.is_empty(), "{} cases fail:\n{}", failed.len(), failed.join("\n"));
    assert!(outcomes.iter().filter(|(_, outcome)| *outcome == Outcome::Passed).count() > 200);
}

#[test]
fn quoted_puzzles_have_the_level_that_hodoku_gives_them() {
    for (line, level) in LEVELS {
        let rating = rate(&puzzle(line), &Ladder::default());
        assert_eq!((rating.level, rating.end), (level, End::Finished), "{line}");
    }
    let short: Ladder = "singles,intersections,subsets".parse().unwrap();
    for line in BEYOND {
        let rating = rate(&puzzle(line), &short);
        assert_eq!((rating.level, rating.end, rating.finished), (Level::Beyond, End::Stuck, false), "{line}");
        assert!(rating.open_cells > 0);
    }
}

#[test]
fn every_isomorph_has_the_same_rating() {
    let mut rng = Rng::new(6, 0, Stage::Bench, 0);
    for puzzle in sample() {
        let rating = rate(&puzzle, &Ladder::default());
        let transposed = Isomorph::transposition(puzzle.shape());
        for _ in 0..4 {
            let map = Isomorph::random(puzzle.shape(), Freedom::ALL, &mut rng);
            let image = map.apply_to_puzzle(&puzzle);
            assert_eq!(rate(&image, &Ladder::default()), rating, "{puzzle:?}\n{image:?}");
            let turned = transposed.apply_to_puzzle(&image);
            assert_eq!(rate(&turned, &Ladder::default()), rating, "{puzzle:?}\n{turned:?}");
        }
    }
}

#[test]
fn techniques_that_are_off_by_default_are_invariant_and_sound_too() {
    let mut rng = Rng::new(12, 0, Stage::Bench, 0);
    let ladder: Ladder = "singles,fish,single_digit,coloring,uniqueness".parse().unwrap();
    assert!(ladder.has(Technique::SiameseFinnedXWing) && ladder.has(Technique::MutantJellyfish));
    for line in LEVELS.map(|(line, _)| line).iter().chain(&BEYOND) {
        let puzzle = puzzle(line);
        let solution = solutions(&puzzle, 1, &mut rng).remove(0);
        for step in trace(&puzzle, &ladder).steps {
            let is = |&(cell, digit): &(Cell, Digit)| solution[cell.index()] == digit.value();
            assert!(!step.eliminations.iter().any(is), "{}", step.words(puzzle.shape()));
        }
        let image = Isomorph::random(puzzle.shape(), Freedom::ALL, &mut rng).apply_to_puzzle(&puzzle);
        assert_eq!(rate(&image, &ladder), rate(&puzzle, &ladder), "{line}");
    }
}

/// In a puzzle with symmetries of its own several steps have the same label; they must be taken together.
#[test]
fn puzzles_with_automorphisms_are_rated_alike_too() {
    let mut rng = Rng::new(7, 0, Stage::Bench, 0);
    for shape in Shape::all(16) {
        let (n, rows, columns) = (shape.order(), shape.box_rows(), shape.box_columns());
        let value = |row: usize, column: usize| (columns * (row % rows) + row / rows + column) % n + 1;
        let values = (0..n * n).map(|at| value(at / n, at % n) as u16).collect();
        let template = Solution::trusted(shape, values);
        let (first_rows, diagonal) =
            (|cell: Cell| cell.row(shape).is_multiple_of(rows), |cell: Cell| cell.index().is_multiple_of(n + 1));
        for puzzle in [
            template.masked(|cell| !first_rows(cell)),
            template.masked(|cell| !diagonal(cell)),
            template.masked(|cell| !first_rows(cell) && !diagonal(cell)),
            template.masked(diagonal),
            template.masked(|_| false),
        ] {
            let rating = rate(&puzzle, &Ladder::default());
            let map = Isomorph::random(shape, Freedom::ALL, &mut rng).then(&Isomorph::transposition(shape));
            assert_eq!(rate(&map.apply_to_puzzle(&puzzle), &Ladder::default()), rating, "{puzzle:?}");
        }
    }
}

#[test]
fn trace_and_rating_agree_and_the_trace_replays() {
    for puzzle in sample() {
        let (rating, trace) = (rate(&puzzle, &Ladder::default()), trace(&puzzle, &Ladder::default()));
        assert_eq!(trace.counts(), rating.counts, "{puzzle:?}");
        assert_eq!((trace.end, trace.open_cells), (rating.end, rating.open_cells));
        let last = replay(&puzzle, &trace).unwrap();
        assert_eq!(last.holes(), rating.open_cells);
        if rating.finished {
            assert!(Solution::try_from(last).is_ok());
        }
        let scores = TECHNIQUES.iter().zip(rating.counts).map(|(info, count)| info.score * count);
        assert_eq!(scores.sum::<u32>(), rating.score);
        assert_eq!(rating.hardest, trace.steps.iter().map(|step| step.technique).max_by_key(|step| step.rank()));
    }
}

/// No step may contradict any solution; where there are several, uniqueness techniques are left out.
#[test]
fn no_step_contradicts_a_solution() {
    let mut rng = Rng::new(8, 0, Stage::Bench, 0);
    for puzzle in sample() {
        let solutions = solutions(&puzzle, 3, &mut rng);
        let only_one = solutions.len() == 1;
        let ladder = if only_one { Ladder::default() } else { Ladder::default().without_uniqueness() };
        let trace = trace(&puzzle, &ladder);
        for solution in solutions {
            for step in &trace.steps {
                let is = |&(cell, digit): &(Cell, Digit)| solution[cell.index()] == digit.value();
                assert!(step.placements.iter().all(is), "{}", step.words(puzzle.shape()));
                assert!(!step.eliminations.iter().any(is), "{}", step.words(puzzle.shape()));
            }
        }
    }
}

#[test]
fn every_technique_is_used_somewhere_on_boards_that_are_not_nine() {
    let mut rng = Rng::new(9, 0, Stage::Bench, 0);
    let mut used = [false; Technique::COUNT];
    for (shape, kept) in [("2x3", 40), ("3x4", 42), ("4x4", 42), ("4x4", 45), ("2x5", 38), ("3x4", 38)] {
        for _ in 0..6 {
            let solution = random_solution(shape.parse().unwrap(), &mut rng);
            let counts = rate(&solution.masked(|_| rng.below(100) < kept), &Ladder::default()).counts;
            used.iter_mut().zip(counts).for_each(|(used, count)| *used |= count > 0);
        }
    }
    let basic = Technique::all().take_while(|&technique| technique < Technique::NakedQuadruple);
    let unused: Vec<&str> = basic.filter(|&technique| !used[technique as usize]).map(Technique::code).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

#[test]
fn the_largest_boards_are_rated() {
    let ladder = Ladder::default().without_uniqueness();
    for shape in ["5x5", "6x6"].map(|shape| shape.parse::<Shape>().unwrap()) {
        let (n, rows, columns) = (shape.order(), shape.box_rows(), shape.box_columns());
        let value = |at: usize| (columns * (at / n % rows) + at / n / rows + at % n) % n + 1;
        let solution = Solution::trusted(shape, (0..n * n).map(|at| value(at) as u16).collect());
        let mut rng = Rng::new(10, n as u64, Stage::Bench, 0);
        let puzzle = solution.masked(|_| rng.below(4) > 0);
        let rating = rate(&puzzle, &ladder);
        assert!(rating.open_cells * 10 < puzzle.grid().holes(), "{shape}: {} open", rating.open_cells);
        let last = replay(&puzzle, &trace(&puzzle, &ladder)).unwrap();
        assert!(Puzzle::try_from(last).unwrap().is_part_of(&solution));
        let map = Isomorph::random(shape, Freedom::ALL, &mut rng);
        assert_eq!(rate(&map.apply_to_puzzle(&puzzle), &ladder), rating);
    }
}

#[test]
fn boards_above_order_36_are_refused_without_a_panic() {
    let blank = Puzzle::try_from(Grid::blank("7x7".parse().unwrap())).unwrap();
    let rating = rate(&blank, &Ladder::default());
    assert_eq!((rating.end, rating.level, rating.open_cells), (End::TooLarge, Level::Beyond, 49 * 49));
    assert_eq!(trace(&blank, &Ladder::default()).end, End::TooLarge);
    assert_eq!((hint(&blank), next_step(&blank, &Ladder::default())), (None, None));
    assert_eq!(digits_at(&blank, Cell::new(0)), None);
}

#[test]
fn a_puzzle_without_solution_ends_in_a_contradiction() {
    let rated = |rows: [&str; 9]| rate(&puzzle(&rows.concat()), &Ladder::default());
    let blank = ".........";
    // r1c9 has no candidate.
    let rating = rated(["12345678.", "........9", blank, blank, blank, blank, blank, blank, blank]);
    assert_eq!((rating.end, rating.level, rating.score), (End::Contradiction, Level::Beyond, 0));
    assert_eq!(rating.open_cells, 72);
    // r1c7 and r1c8 can only be 7: seen when the first of them is placed.
    let digits = ["......8..", "......9..", blank, ".......8.", ".......9.", blank];
    let rating = rated(["123456...", blank, blank, digits[0], digits[1], digits[2], digits[3], digits[4], digits[5]]);
    assert_eq!((rating.end, rating.level, rating.score), (End::Contradiction, Level::Beyond, 0));
    assert_eq!(rating.open_cells, 71);
}

#[test]
fn a_ladder_stops_as_soon_as_the_level_is_exceeded() {
    for (line, level) in LEVELS {
        let full = rate(&puzzle(line), &Ladder::default());
        for limit in [Level::Easy, Level::Medium, Level::Hard] {
            let rating = rate(&puzzle(line), &Ladder::default().stopping_above(limit));
            if level > limit {
                assert!(rating.end == End::Stopped && rating.level > limit && !rating.finished);
                assert!(rating.open_cells > 0 && rating.score < full.score);
            } else {
                assert_eq!(rating, full);
            }
        }
    }
}

#[test]
fn a_shorter_ladder_uses_only_its_rungs() {
    let singles: Ladder = "singles".parse().unwrap();
    for (line, _) in LEVELS {
        let (rating, full) = (rate(&puzzle(line), &singles), rate(&puzzle(line), &Ladder::default()));
        let family = full.hardest.map(|technique| technique.info().family);
        assert_eq!(rating.finished, family == Some(Family::Singles), "{line}");
        assert!(Technique::all().all(|technique| singles.has(technique) || rating.count(technique) == 0));
    }
}

#[test]
fn steps_of_a_trace_written_as_cases_pass() {
    for (line, _) in LEVELS {
        let puzzle = puzzle(line);
        for line in library::lines(&puzzle, &trace(&puzzle, &Ladder::default())).unwrap() {
            let case = Case::parse(&line).unwrap();
            assert_eq!(case.run(), Outcome::Passed, "{line}");
        }
    }
}

#[test]
fn lines_that_are_no_cases_say_why() {
    for (line, message) in [
        (":0300:1", "2 fields between colons, at least 6 expected"),
        (":0300:1:...::::", "the givens are not 81 cells: ..."),
        (
            &format!(":0300:1:{}::999 1::", ".".repeat(81)),
            "'1' is not a candidate: write digit, row and column, for example 436",
        ),
        (
            &format!(":0300:1:11{}::::", ".".repeat(79)),
            "the givens contradict each other: digit 1 stands twice in row 1: r1c1 and r1c2",
        ),
    ] {
        assert_eq!(Case::parse(line).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_wrong_trace_does_not_replay() {
    let puzzle = puzzle(LEVELS[6].0);
    let good = trace(&puzzle, &Ladder::default());
    let mut twice = good.clone();
    let again = Step { round: u32::MAX, ..twice.steps[0].clone() };
    twice.steps.push(again);
    assert!(matches!(replay(&puzzle, &twice), Err(ReplayError::Closed { .. })));
    let mut short = good.clone();
    short.steps.pop();
    assert_eq!(replay(&puzzle, &short), Err(ReplayError::End { found: 1, claimed: 0 }));
    let mut idle = good;
    idle.steps[0].placements.clear();
    idle.steps[0].eliminations.clear();
    assert_eq!(replay(&puzzle, &idle), Err(ReplayError::Idle { step: 1 }));
}

#[test]
fn words_name_digits_cells_and_houses() {
    for (case, technique, expected) in [
        (0, Technique::FullHouse, "Full House: 8 in r5c1 (row 5) => r5c1=8"),
        (5, Technique::Pointing, "Locked Candidates 1 (Pointing): 8 in r9c2 r9c3 (box 7; row 9) => r9c8<>8"),
        (7, Technique::NakedPair, "Naked Pair: 5/6 in r4c5 r4c9 (row 4) => r4c8<>5 r4c8<>6"),
        (
            13,
            Technique::XWing,
            "X-Wing: 1 in r3c2 r3c7 r7c2 r7c7 (row 3, row 7; column 2, column 7) => r1c2<>1 r1c7<>1 r6c7<>1",
        ),
        (19, Technique::XyWing, "XY-Wing: 2/3/4 in r4c2 r4c8 r5c1 => r4c1<>3 r5c7<>3 r5c8<>3"),
    ] {
        let case = Case::parse(CASES[case]).unwrap();
        let steps = find_all(technique, &case.marks);
        let words: Vec<String> = steps.iter().map(|step| step.words(Shape::NINE)).collect();
        assert!(words.iter().any(|words| words == expected), "{words:#?}");
    }
}

#[test]
fn hints_circle_the_cells_with_fewest_candidates() {
    let full = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    let one = puzzle(&full.replacen('5', ".", 1));
    let found = hint(&one).unwrap();
    assert_eq!((found.fewest, found.colour, found.cells), (Some(1), Some(Colour::Red), vec![Cell::new(0)]));
    assert_eq!(digits_at(&one, Cell::new(0)).unwrap().single(), Some(Digit::new(5)));
    assert_eq!(digits_at(&one, Cell::new(1)).unwrap().len(), 0);
    assert_eq!(digits_at(&one, Cell::new(81)), None);
    let step = next_step(&one, &Ladder::default()).unwrap();
    assert_eq!(step.words(Shape::NINE), "Full House: 5 in r1c1 (row 1) => r1c1=5");
    let blank = hint(&Puzzle::try_from(Grid::blank("2x2".parse().unwrap())).unwrap()).unwrap();
    assert_eq!((blank.fewest, blank.colour, blank.cells.len()), (Some(4), None, 16));
    assert_eq!(hint(&puzzle(full)).unwrap().fewest, None);
}

#[test]
fn a_hidden_single_becomes_the_only_candidate() {
    let puzzle = puzzle(LEVELS[0].0);
    let found = hint(&puzzle).unwrap();
    for step in find_all::<Narrow>(Technique::HiddenSingleBox, &Candidates::new(&puzzle)) {
        let (cell, digit) = step.placements[0];
        assert_eq!(found.candidates[cell.index()].single(), Some(digit));
        assert!(found.cells.contains(&cell) && found.colour == Some(Colour::Red));
    }
}

#[test]
fn own_cases_do_not_contradict_the_solution() {
    let mut rng = Rng::new(12, 0, Stage::Bench, 0);
    for line in OWN_CASES {
        let case = Case::parse(line).unwrap();
        let mut found = Vec::new();
        solve(&case.marks, 2, &mut rng, &mut found);
        assert_eq!(found.len(), 1, "{line}");
        assert!(case.eliminations.iter().all(|&(cell, digit)| found[0][cell.index()] != digit.value()), "{line}");
        assert!(case.placements.iter().all(|&(cell, digit)| found[0][cell.index()] == digit.value()), "{line}");
    }
}
